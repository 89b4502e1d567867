/** A pattern that takes no more time than its length times the text's, whatever both say. */
export type Pattern = (text: string) => boolean

/** Why a pattern is none of ours: it is not understood, or says too much. */
export class Unfit extends Error {
  readonly why: 'form' | 'large'
  constructor(why: 'form' | 'large') {
    super(why)
    this.why = why
  }
}

type Fits = (char: string) => boolean
type Part =
  | { is: 'char'; fits: Fits }
  | { is: 'row'; parts: Part[] }
  | { is: 'choice'; parts: Part[] }
  | { is: 'repeat'; part: Part; least: number; most: number }

const mostSteps = 500
const mostTimes = 100

/**
 * Reads a regular expression without what makes matching slow, which is looking around and back: letters, classes, groups,
 * choices and repetitions. All ways through it are walked side by side, so none is ever tried again.
 */
export function patternOf(source: string): Pattern {
  const steps = stepsOf(new Reader(source.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')).all())
  return (text) => {
    let at = open(steps, [steps.first])
    for (const char of text) {
      const next = [...at].flatMap((place) => (steps.all[place]?.fits?.(char) ? (steps.all[place]?.to ?? []) : []))
      if (next.length === 0) return false
      at = open(steps, next)
    }
    return at.has(end)
  }
}

type Step = { fits: Fits | null; to: number[] }
type Steps = { all: Step[]; first: number }

const end = 0

// Where one stands without reading anything more.
function open({ all }: Steps, places: number[]): Set<number> {
  const seen = new Set<number>()
  const left = [...places]
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    if (seen.has(place)) continue
    seen.add(place)
    const step = all[place]
    if (step && !step.fits) left.push(...step.to)
  }
  return seen
}

// Written from its end to its beginning, so that each step knows where it leads.
function stepsOf(part: Part): Steps {
  const all: Step[] = [{ fits: null, to: [] }]
  function add(fits: Fits | null, to: number[]): number {
    if (all.length >= mostSteps) throw new Unfit('large')
    return all.push({ fits, to }) - 1
  }
  function before(one: Part, next: number): number {
    if (one.is === 'char') return add(one.fits, [next])
    if (one.is === 'row') return one.parts.reduceRight((place, inner) => before(inner, place), next)
    if (one.is === 'choice')
      return add(
        null,
        one.parts.map((inner) => before(inner, next)),
      )
    let place = one.most === Infinity ? loop(one.part, next) : next
    for (let times = one.least; times < one.most && one.most !== Infinity; times++) place = add(null, [before(one.part, place), next])
    for (let times = 0; times < one.least; times++) place = before(one.part, place)
    return place
  }
  function loop(inner: Part, next: number): number {
    const place = add(null, [next])
    all[place]?.to.push(before(inner, place))
    return place
  }
  return { first: before(part, end), all }
}

const classes: Record<string, Fits> = {
  d: (char) => /^[0-9]$/.test(char),
  w: (char) => /^[A-Za-z0-9_]$/.test(char),
  s: (char) => /^\s$/.test(char),
}

class Reader {
  readonly #chars: string[]
  #at = 0
  constructor(source: string) {
    this.#chars = [...source]
  }

  all(): Part {
    const part = this.#choice()
    if (this.#peek() !== undefined) throw new Unfit('form')
    return part
  }

  #peek(): string | undefined {
    return this.#chars[this.#at]
  }

  #take(): string {
    const char = this.#chars[this.#at++]
    if (char === undefined) throw new Unfit('form')
    return char
  }

  #choice(): Part {
    const parts = [this.#row()]
    while (this.#peek() === '|') {
      this.#at++
      parts.push(this.#row())
    }
    return parts.length === 1 && parts[0] ? parts[0] : { is: 'choice', parts }
  }

  #row(): Part {
    const parts: Part[] = []
    for (let char = this.#peek(); char !== undefined && char !== '|' && char !== ')'; char = this.#peek())
      parts.push(this.#repeated(this.#one()))
    return { is: 'row', parts }
  }

  #repeated(part: Part): Part {
    const char = this.#peek()
    const ends: Record<string, [number, number]> = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }
    const known = ends[char ?? '']
    if (!known && char !== '{') return part
    const [least, most] = known ?? this.#counts()
    if (known) this.#at++
    if (/^[*+?{]$/.test(this.#peek() ?? '')) throw new Unfit('form')
    return { is: 'repeat', part, least, most }
  }

  #counts(): [number, number] {
    const [whole, least = '', comma, most] = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.#chars.slice(this.#at).join('')) ?? []
    if (whole === undefined) throw new Unfit('form')
    this.#at += whole.length
    const counts: [number, number] = [Number(least), comma === undefined ? Number(least) : most === undefined ? Infinity : Number(most)]
    if (counts[0] > counts[1]) throw new Unfit('form')
    if (counts[0] > mostTimes || (counts[1] > mostTimes && counts[1] !== Infinity)) throw new Unfit('large')
    return counts
  }

  #one(): Part {
    const char = this.#take()
    if (char === '(') return this.#group()
    if (char === '[') return { is: 'char', fits: this.#set() }
    if (char === '\\') return { is: 'char', fits: this.#escaped() }
    if (char === '.') return { is: 'char', fits: (one) => one !== '\n' }
    if (/^[*+?{}\]^$]$/.test(char)) throw new Unfit('form')
    return { is: 'char', fits: (one) => one === char }
  }

  #group(): Part {
    if (this.#peek() === '?') {
      this.#at++
      if (this.#take() !== ':') throw new Unfit('form')
    }
    const part = this.#choice()
    if (this.#take() !== ')') throw new Unfit('form')
    return part
  }

  #escaped(): Fits {
    const char = this.#take()
    const kind = classes[char]
    const other = classes[char.toLowerCase()]
    if (kind) return kind
    if (other) return (one) => !other(one)
    if (/^[A-Za-z0-9]$/.test(char)) throw new Unfit('form')
    return (one) => one === char
  }

  #set(): Fits {
    const isNot = this.#peek() === '^'
    if (isNot) this.#at++
    const fits: Fits[] = []
    while (this.#peek() !== ']') fits.push(this.#member())
    this.#at++
    if (fits.length === 0) throw new Unfit('form')
    return (char) => fits.some((one) => one(char)) !== isNot
  }

  #member(): Fits {
    const first = this.#take()
    if (first === '\\') return this.#escaped()
    if (first === '[') throw new Unfit('form')
    const isRange = this.#peek() === '-' && this.#chars[this.#at + 1] !== ']'
    if (!isRange) return (char) => char === first
    this.#at++
    const last = this.#take()
    const [from, to] = [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0]
    if (last === '\\' || last === '[' || from > to) throw new Unfit('form')
    return (char) => (char.codePointAt(0) ?? 0) >= from && (char.codePointAt(0) ?? 0) <= to
  }
}
