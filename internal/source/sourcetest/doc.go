// Package sourcetest holds what the tests of sources share: the one suite that every source passes, mirrors in the form
// of NVIDIA's redistributable archives (made up, or of the real toolkits in the test bed), and a server on loopback that
// can be as bad as a network. It is imported by tests alone.
package sourcetest
