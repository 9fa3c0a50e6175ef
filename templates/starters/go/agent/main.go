// An agent over standard input and output.
package main

import (
	"context"
	"log"
)

func main() {
	agent, err := newAgent()
	if err != nil {
		log.Fatal(err)
	}
	if err := agent.ServeStdio(context.Background()); err != nil {
		log.Fatal(err)
	}
}
