package acp

// waitidNoWait is WNOWAIT.
const waitidNoWait = 0x1000000
