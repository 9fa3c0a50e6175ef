package sessions

import (
	"context"
	"slices"
	"sync"
)

// Memory returns a backend that keeps sessions in the memory of this process, for several
// stores.
func Memory() Backend { return &memory{values: map[memoryKey]memoryValue{}} }

type memoryKey struct{ owner, name string }

type memoryValue struct {
	text     []byte
	revision string
}

type memory struct {
	mu     sync.Mutex
	values map[memoryKey]memoryValue
	order  []memoryKey // the one that was set last first
}

func (m *memory) Get(_ context.Context, owner, name string) ([]byte, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := m.values[memoryKey{owner, name}]
	return found.text, found.revision, nil
}

func (m *memory) Set(_ context.Context, owner, name string, value []byte, revision string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := memoryKey{owner, name}
	if m.values[key].revision != revision {
		return "", nil
	}
	m.remove(key)
	m.values[key] = memoryValue{value, newID()}
	m.order = slices.Insert(m.order, 0, key)
	return m.values[key].revision, nil
}

func (m *memory) Delete(_ context.Context, owner, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(memoryKey{owner, name})
	return nil
}

func (m *memory) remove(key memoryKey) {
	delete(m.values, key)
	m.order = slices.DeleteFunc(m.order, func(one memoryKey) bool { return one == key })
}

func (m *memory) Names(_ context.Context, owner string) (names []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, key := range m.order {
		if key.owner == owner {
			names = append(names, key.name)
		}
	}
	return names, nil
}
