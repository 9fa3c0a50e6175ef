// An agent over standard input and output, or over HTTP.
package main

import (
	"context"
	"flag"
	"log"
)

func main() {
	port := flag.Int("remote", -1, "serve the agent over HTTP at a port; 0 for any free one")
	flag.Parse()
	agent, err := newAgent()
	if err != nil {
		log.Fatal(err)
	}
	if *port >= 0 {
		err = serve(agent, *port)
	} else {
		err = agent.ServeStdio(context.Background())
	}
	if err != nil {
		log.Fatal(err)
	}
}
