package acp

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

const hostChar = `[^\x00- #%/:<>?@\[\\\]^|]`

var (
	// windowsRoot is the beginning of an absolute path of Windows: a drive, or a server and a share.
	windowsRoot = regexp.MustCompile(`^(?:[A-Za-z]:[\\/]|\\\\` + hostChar + `+[\\/])`)
	// anyDrive is the beginning of a URI with a drive, in the forms that the URL standard reads.
	anyDrive = regexp.MustCompile(`(?i)^file:/{1,3}([a-z])(?:[:|]|%3a)([/?#]|$)`)
	fileURI  = regexp.MustCompile(`(?i)^file:(?://([^/?#]*))?(/[^?#]*)?`)
	notInURI = regexp.MustCompile(`[\x00-\x1f\x7f]`)
	uriHost  = regexp.MustCompile(`^` + hostChar + `*$`)
	drive    = regexp.MustCompile(`^/[A-Za-z]:(?:/|$)`)
)

// FileURI returns the URI of a file (RFC 8089). The path decides which system it is of, since
// an agent may run on another one than its client. It is absolute: /home/ana/a.go,
// C:\Users\ana\a.go or \\server\share\a.go.
func FileURI(path string) (string, error) {
	isWindows := windowsRoot.MatchString(path)
	if !isWindows && !strings.HasPrefix(path, "/") {
		return "", errors.New(sentences.NeedsAbsolutePath(strconv.Quote(path)))
	}
	if !utf8.ValidString(path) {
		return "", errors.New(sentences.NotUTF8(strconv.Quote(path)))
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

// FilePath returns the path of a file URI, in the form of the system that the URI is of. A
// backslash in the URI is a slash, as in the URL standard. A URI that encodes a separator or a
// null character has no path.
func FilePath(uri string) (string, error) {
	shown := strconv.Quote(uri)
	parts := fileURI.FindStringSubmatch(anyDrive.ReplaceAllString(strings.ReplaceAll(uri, `\`, "/"), "file:///$1:$2"))
	if parts == nil || parts[2] == "" || notInURI.MatchString(uri) {
		return "", errors.New(sentences.NotFileURI(shown))
	}
	host, err := url.PathUnescape(parts[1])
	path, failed := url.PathUnescape(parts[2])
	if err != nil || failed != nil || !utf8.ValidString(host+path) {
		return "", errors.New(sentences.NotUTF8(shown))
	}
	if !uriHost.MatchString(host) {
		return "", errors.New(sentences.NotFileURI(shown))
	}
	if strings.EqualFold(host, "localhost") {
		host = ""
	}
	path = withoutDots(path)
	isWindows := host != "" || drive.MatchString(path)
	encoded := strings.ToLower(parts[2])
	// A backslash is part of a name, except on Windows.
	if strings.Contains(encoded, "%2f") || strings.Contains(encoded, "%00") || isWindows && strings.Contains(encoded, "%5c") {
		return "", errors.New(sentences.SeparatorInURI(shown))
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

// withoutDots removes the segments . and .., which never removes a drive.
func withoutDots(path string) string {
	var kept []string
	parts := strings.Split(path, "/")[1:]
	for i, part := range parts {
		switch {
		case part != "." && part != "..":
			kept = append(kept, part)
			continue
		case part == ".." && len(kept) > 0 && (len(kept) > 1 || !drive.MatchString("/"+kept[0])):
			kept = kept[:len(kept)-1]
		}
		if i == len(parts)-1 {
			kept = append(kept, "")
		}
	}
	return "/" + strings.Join(kept, "/")
}
