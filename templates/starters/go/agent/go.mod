module echo_agent

go 1.22
