package profile

// sameOwner: a new file takes its rights from the folder, as the old one did.
func sameOwner(old, new string) error { return nil }
