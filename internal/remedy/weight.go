package remedy

import "cmp"

// weight is the cost of an action as numbers that are compared one after the other: a restart weighs more than
// any number of installations with root, root more than user space, installing more than using what is there.
// Then comes the release, the recommended one before the newest verified one, and leaving things as they are before
// switching. A toolkit that the driver serves comes before one that it does not, and what is here is completed before
// another one is installed. What nobody verified is installed only where a restart would be the other way.
type weight [weights]int

const (
	wHands = iota // for a command that carries out: a toolkit or compiler that a person must get
	wReboot
	wUnverified
	wAnother // a whole toolkit, where one that is here can be completed
	wRoot
	wInstall
	wDemand   // a newer driver than the one that is here, now or for PTX
	wSource   // a source of toolkits whose turn comes later, where no release is recommended
	wRank     // how far from the recommended release a toolkit is that takes another one's place
	wDistance // the same for every toolkit
	wSwitch
	wDownload
	wOrder // a tie: what stands first in the table or on the machine
	weights
)

func (w weight) plus(o weight) weight {
	for i := range w {
		w[i] += o[i]
	}
	return w
}

func (w weight) compare(o weight) int {
	for i := range w {
		if c := cmp.Compare(w[i], o[i]); c != 0 {
			return c
		}
	}
	return 0
}

// axes are what plans may trade against each other.
var axes = []int{wReboot, wUnverified, wRoot, wInstall, wDistance}

// dominated: nothing of w is better than o. A cost only grows, so whatever follows from w is no better either.
func (w weight) dominated(o weight) bool {
	for _, i := range axes {
		if w[i] < o[i] {
			return false
		}
	}
	return true
}

// whoWeight is what a way costs.
func whoWeight(who string, downloadMB, order int) weight {
	w := weight{wInstall: 1, wDownload: downloadMB, wOrder: order}
	switch who {
	case Root:
		w[wRoot] = 1
	case Reboot:
		w[wRoot], w[wReboot] = 1, 1
	}
	return w
}
