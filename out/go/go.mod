module github.com/acp-codegen/acp-codegen/out/go

go 1.22
