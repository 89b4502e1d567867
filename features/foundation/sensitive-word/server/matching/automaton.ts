/**
 * An Aho-Corasick automaton: finds all words in one pass over a text. The states are flat arrays in breadth-first order, so that siblings
 * are adjacent and a hundred thousand words take a few megabytes.
 */
export type Automaton = {
  labels: Int32Array
  /** The first child of each state; the children end at the first child of the next state. */
  first: Int32Array
  fail: Int32Array
  /** The first of the words that end here, by their index in sorted order; -1 for none. */
  word: Int32Array
  count: Int32Array
  /** The depth of the state. */
  depth: Uint8Array
  /** The nearest state along the failure links at which a word ends. */
  shorter: Int32Array
}

/** Words must be sorted, with at most 255 letters; duplicates are allowed. */
export function build(words: readonly (readonly number[])[]): Automaton {
  const room = 1 + words.reduce((sum, word) => sum + word.length, 0)
  const labels = new Int32Array(room)
  const first = new Int32Array(room + 1)
  const [fail, word, count, shorter] = [new Int32Array(room), new Int32Array(room).fill(-1), new Int32Array(room), new Int32Array(room)]
  const [low, high, depth] = [new Int32Array(room), new Int32Array(room), new Uint8Array(room)]
  const automaton: Automaton = { labels, first, fail, word, count, depth, shorter }
  high[0] = words.length
  let states = 1
  for (let state = 0; state < states; state++) {
    const at = depth[state] ?? 0
    const end = high[state] ?? 0
    let from = low[state] ?? 0
    for (; from < end && words[from]?.length === at; from++) {
      if (word[state] === -1) word[state] = from
      count[state] = (count[state] ?? 0) + 1
    }
    shorter[state] = endsWord(automaton, fail[state] ?? 0) ? (fail[state] ?? 0) : (shorter[fail[state] ?? 0] ?? 0)
    first[state] = states
    while (from < end) {
      const label = words[from]?.[at] ?? 0
      let to = from + 1
      while (to < end && words[to]?.[at] === label) to++
      labels[states] = label
      low[states] = from
      high[states] = to
      depth[states] = at + 1
      fail[states] = state === 0 ? 0 : next(automaton, fail[state] ?? 0, label)
      states++
      from = to
    }
    first[state + 1] = states
  }
  return {
    labels: labels.slice(0, states),
    first: first.slice(0, states + 1),
    fail: fail.slice(0, states),
    word: word.slice(0, states),
    count: count.slice(0, states),
    depth: depth.slice(0, states),
    shorter: shorter.slice(0, states),
  }
}

/** The state after one more letter. */
export function next(automaton: Automaton, from: number, letter: number): number {
  for (let state = from; ; state = automaton.fail[state] ?? 0) {
    const child = childOf(automaton, state, letter)
    if (child > 0) return child
    if (state === 0) return 0
  }
}

export function endsWord({ word }: Automaton, state: number): boolean {
  return state !== 0 && (word[state] ?? -1) >= 0
}

function childOf({ labels, first }: Automaton, state: number, letter: number): number {
  let low = first[state] ?? 0
  let high = (first[state + 1] ?? 0) - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const label = labels[middle] ?? 0
    if (label === letter) return middle
    if (label < letter) low = middle + 1
    else high = middle - 1
  }
  return 0
}
