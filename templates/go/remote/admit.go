package remote

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

var port = regexp.MustCompile(`:\d*$`)

// admit checks who sends a request, before anything of it is read. It answers a request
// that is refused, or that only asks whether a page may send another one.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request) (principal string, ok bool) {
	size := 0
	for name, values := range r.Header {
		for _, one := range values {
			size += len(name) + len(one)
		}
	}
	if size > mostHeaderBytes {
		reply(w, http.StatusRequestHeaderFieldsTooLarge, "The headers are too long")
		return "", false
	}
	if !h.isHostAllowed(strings.ToLower(r.Host)) {
		reply(w, http.StatusForbidden, "Host not allowed")
		return "", false
	}
	w.Header().Set("Vary", "Origin")
	origins := r.Header.Values("Origin")
	if len(origins) > 0 {
		if len(origins) > 1 || !h.isOriginAllowed(origins[0], r.Host) {
			reply(w, http.StatusForbidden, "Origin not allowed")
			return "", false
		}
		allowPage(w.Header(), origins[0])
		if r.Method == http.MethodOptions {
			allowRequests(w.Header())
			w.WriteHeader(http.StatusNoContent)
			return "", false
		}
	}
	if h.Authenticate == nil {
		return "", true
	}
	principal, err := h.Authenticate(r)
	if err != nil {
		h.report(err)
		reply(w, http.StatusInternalServerError, "")
	} else if principal == "" {
		w.Header().Set("WWW-Authenticate", or(h.Challenge, "Bearer"))
		reply(w, http.StatusUnauthorized, "Unauthorized")
	}
	return principal, err == nil && principal != ""
}

func (h *Handler) isHostAllowed(host string) bool {
	allowed := h.AllowedHosts
	if allowed == nil {
		allowed = []string{"localhost", "127.0.0.1", "[::1]"}
	}
	name := port.ReplaceAllString(host, "")
	return slices.ContainsFunc(allowed, func(one string) bool {
		one = strings.ToLower(one)
		return one == "*" || one == host || one == name
	})
}

// isOriginAllowed refuses pages in sandboxes, whose origin is null, whatever is allowed.
func (h *Handler) isOriginAllowed(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || !strings.EqualFold(u.Scheme+"://"+u.Host, origin) {
		return false
	}
	return strings.EqualFold(u.Host, host) || slices.Contains(h.AllowedOrigins, origin) || slices.Contains(h.AllowedOrigins, "*")
}

func allowPage(header http.Header, origin string) {
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Allow-Credentials", "true")
	header.Set("Access-Control-Expose-Headers", strings.Join([]string{connectionID, eventOrder, "WWW-Authenticate", "Retry-After"}, ", "))
}

func allowRequests(header http.Header) {
	header.Set("Access-Control-Allow-Methods", allowedMethods)
	header.Set("Access-Control-Allow-Headers", strings.Join([]string{"Content-Type", "Authorization", connectionID, sessionID, messageNumber, lastEventID}, ", "))
	header.Set("Access-Control-Max-Age", "600")
}

// reply answers with a status and a text, which has nothing from inside of the program.
func reply(w http.ResponseWriter, status int, text string) {
	if text != "" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}
