package acp

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

var (
	// windowsRoot is the beginning of an absolute path of Windows: a drive, or a server.
	windowsRoot = regexp.MustCompile(`^(?:[A-Za-z]:[\\/]|\\\\[^\\/])`)
	drive       = regexp.MustCompile(`^/[A-Za-z]:(?:/|$)`)
)

// FileURI returns the URI of a file (RFC 8089). The path decides which system it is of, since
// an agent may run on another one than its client. It is absolute: /home/ana/a.go,
// C:\Users\ana\a.go or \\server\share\a.go.
func FileURI(path string) (string, error) {
	isWindows := windowsRoot.MatchString(path)
	if !isWindows && !strings.HasPrefix(path, "/") {
		return "", errors.New(sentences.NeedsAbsolutePath(strconv.Quote(path)))
	}
	uri := []byte("file://")
	if isWindows {
		path = strings.ReplaceAll(path, `\`, "/")
		if strings.HasPrefix(path, "//") {
			uri = []byte("file:")
		} else {
			uri = append(uri, '/')
		}
	}
	for _, c := range []byte(path) {
		// RFC 3986 section 3.3
		isLetter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if isLetter || '0' <= c && c <= '9' || strings.IndexByte("/-._~!$&'()*+,;=:@", c) >= 0 {
			uri = append(uri, c)
		} else {
			uri = fmt.Appendf(uri, "%%%02X", c)
		}
	}
	return string(uri), nil
}

// FilePath returns the path of a file URI, in the form of the system that the URI is of. A URI
// that encodes a separator or a null character has none.
func FilePath(uri string) (string, error) {
	parsed, err := url.Parse(uri)
	if err != nil {
		return "", err
	}
	path := parsed.Path
	if parsed.Scheme != "file" || !strings.HasPrefix(path, "/") {
		return "", fmt.Errorf("%q is not a file URI, such as file:///home/ana/a.go", uri)
	}
	if !utf8.ValidString(path) {
		return "", errors.New(sentences.NotUTF8(strconv.Quote(uri)))
	}
	host := parsed.Host
	if strings.EqualFold(host, "localhost") {
		host = ""
	}
	isWindows := host != "" || drive.MatchString(path)
	encoded := strings.ToLower(cmp.Or(parsed.RawPath, parsed.EscapedPath()))
	// A backslash is part of a name, except on Windows.
	if strings.Contains(encoded, "%2f") || strings.Contains(encoded, "%00") || isWindows && strings.Contains(encoded, "%5c") {
		return "", errors.New(sentences.SeparatorInURI(strconv.Quote(uri)))
	}
	if !isWindows {
		return path, nil
	}
	path = strings.ReplaceAll(path, "/", `\`)
	if host == "" {
		return path[1:], nil
	}
	return `\\` + host + path, nil
}
