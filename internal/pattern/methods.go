package pattern

// What regexp.Regexp does under the same names; a method is added here when the program first needs it.

func (p *Pattern) Match(b []byte) bool                  { return p.regexp().Match(b) }
func (p *Pattern) MatchString(s string) bool            { return p.regexp().MatchString(s) }
func (p *Pattern) SubexpIndex(name string) int          { return p.regexp().SubexpIndex(name) }
func (p *Pattern) SubexpNames() []string                { return p.regexp().SubexpNames() }
func (p *Pattern) FindSubmatchIndex(b []byte) []int     { return p.regexp().FindSubmatchIndex(b) }
func (p *Pattern) LiteralPrefix() (string, bool)        { return p.regexp().LiteralPrefix() }
func (p *Pattern) Find(b []byte) []byte                 { return p.regexp().Find(b) }
func (p *Pattern) FindSubmatch(b []byte) [][]byte       { return p.regexp().FindSubmatch(b) }
func (p *Pattern) FindString(s string) string           { return p.regexp().FindString(s) }
func (p *Pattern) FindStringIndex(s string) []int       { return p.regexp().FindStringIndex(s) }
func (p *Pattern) FindStringSubmatch(s string) []string { return p.regexp().FindStringSubmatch(s) }
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return p.regexp().FindStringSubmatchIndex(s)
}
func (p *Pattern) FindAllString(s string, n int) []string { return p.regexp().FindAllString(s, n) }
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.regexp().FindAllStringSubmatch(s, n)
}
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.regexp().FindAllStringSubmatchIndex(s, n)
}
func (p *Pattern) ReplaceAll(b, with []byte) []byte { return p.regexp().ReplaceAll(b, with) }
func (p *Pattern) ReplaceAllString(s, with string) string {
	return p.regexp().ReplaceAllString(s, with)
}
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.regexp().ReplaceAllStringFunc(s, with)
}
func (p *Pattern) ReplaceAllFunc(b []byte, with func([]byte) []byte) []byte {
	return p.regexp().ReplaceAllFunc(b, with)
}
