package remote

import (
	"cmp"
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
		isListed := h.isOriginListed(origins[0], r.Host)
		if len(origins) > 1 || !isOrigin(origins[0]) || !isListed && !slices.Contains(h.AllowedOrigins, "*") {
			reply(w, http.StatusForbidden, "Origin not allowed")
			return "", false
		}
		allowPage(w.Header(), origins[0], isListed)
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
		w.Header().Set("WWW-Authenticate", cmp.Or(h.Challenge, "Bearer"))
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

// isOrigin returns whether an origin has a scheme and a host; that of pages in sandboxes is null.
func isOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Scheme+"://"+u.Host, origin)
}

// isOriginListed returns whether an origin is that of the server itself, or allowed by its name.
func (h *Handler) isOriginListed(origin, host string) bool {
	_, own, _ := strings.Cut(origin, "://")
	return strings.EqualFold(own, host) || slices.Contains(h.AllowedOrigins, origin)
}

// allowPage lets a page read the answer. Only a listed one may send cookies: under "*", any page
// could call in the name of its visitor.
func allowPage(header http.Header, origin string, isListed bool) {
	header.Set("Access-Control-Allow-Origin", origin)
	if isListed {
		header.Set("Access-Control-Allow-Credentials", "true")
	}
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
