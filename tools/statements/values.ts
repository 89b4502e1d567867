import { Kysely, PostgresAdapter, PostgresQueryCompiler, DummyDriver, PostgresIntrospector } from 'kysely'
import type * as ast from 'typescript/unstable/ast'
import { TypeFlags, type Type } from 'typescript/unstable/sync'
import { symbolNames, type Source } from './source.ts'

/** A value known only at run time, with its static type. */
export class Unknown {
  type: Type | undefined
  readonly from: ast.Node
  readonly name: string
  readonly parts = new Map<string, unknown>()
  /** The value chosen for it on this path. */
  known: { value: unknown } | null = null
  isThere = false

  constructor(type: Type | undefined, from: ast.Node, name = '') {
    this.type = type
    this.from = from
    this.name = name
  }
}

/** The statement cannot be derived from the source; the message says where. */
export class NotComposable extends Error {}

/** A path that the program does not complete. */
export class DeadEnd extends Error {}

/** A condition that depends on a choice not made yet. */
export class Undecided extends Error {}

// On a way with many forks, some combinations are only met by chance, so a few more ways are tried.
const [fewForks, mostMore] = [4, 30]
const mostTries = 2

type Choice = { taken: number; of: number; key: string }

/**
 * Enumerates paths through unknown values until each branch of each fork was taken once. All combinations would be too many, and the
 * columns of a statement depend on few of them.
 */
export class Paths {
  readonly #known = new Set<string>()
  readonly #dead = new Map<string, number>()
  readonly #waiting: { prefix: number[]; name: string }[] = []
  #prefix: number[] = []
  #name = ''
  #round = 0
  #chance: number
  #more = mostMore
  #trace: Choice[] = []
  /** The function being evaluated. */
  within = ''
  /** True once every relevant fork is decided. */
  isDecided = false

  /** Other chances combine forks differently. */
  constructor(chance: number) {
    this.#chance = chance
  }

  /** Chooses a branch of a fork, identified by its key. */
  choose(of: number, key: string): number {
    if (this.isDecided) throw new Undecided()
    // Beyond the queued choices a random one, so that forks are combined differently.
    const taken = this.#prefix[this.#trace.length] ?? this.#any(of)
    this.#trace.push({ taken, of, key: `${this.within} ${key}` })
    return taken
  }

  // Pseudo-random, the same in every run.
  #any(of: number): number {
    this.#chance = (this.#chance * 1_103_515_245 + 12_345) % 2_147_483_648
    return this.#round === 0 ? 0 : (this.#chance >> 16) % of
  }

  // A branch may be alive in other company than that in which it was first tried.
  #retry(name: string): void {
    const tries = (this.#dead.get(name) ?? 0) + 1
    this.#dead.set(name, tries)
    if (tries < mostTries) this.#known.delete(name)
  }

  /** Starts the next path, if there is one. */
  turn(isDead: boolean): boolean {
    const choices = this.#trace.map(({ taken }) => taken)
    if (!isDead) for (const { taken, key } of this.#trace) this.#known.add(`${key}:${taken}`)
    else this.#retry(this.#name)
    for (const [place, { of, key }] of this.#trace.entries())
      for (let other = 0; other < of; other++) {
        const name = `${key}:${other}`
        if (this.#known.has(name)) continue
        this.#known.add(name)
        this.#waiting.push({ prefix: [...choices.slice(0, place), other], name })
      }
    this.#trace = []
    this.#round++
    this.isDecided = false
    const next = this.#waiting.pop()
    this.#prefix = next?.prefix ?? []
    this.#name = next?.name ?? ''
    if (next) return true
    return choices.length > fewForks && this.#more-- > 0
  }
}

// Builds statements as the program does, without running them.
export const builder = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const connections = new Set(['Kysely', 'Transaction', 'Db', 'StatementBuilder', 'QueryCreator'])

export function unknownOf(type: Type | undefined, from: ast.Node, name = ''): unknown {
  if (!type) return new Unknown(type, from, name)
  const names = [type, ...(type.isUnionType() ? type.getTypes() : [])].flatMap(symbolNames)
  if (names.some((one) => connections.has(one))) return builder
  return constantOf(type) ?? new Unknown(type, from, name)
}

function constantOf(type: Type): unknown {
  return type.isStringLiteralType() || type.isNumberLiteralType() || type.isBooleanLiteralType() ? type.value : undefined
}

/** The value; of a union of constants the member chosen on this path. */
export function settled(paths: Paths, value: unknown): unknown {
  const so = resolved(value)
  if (!(so instanceof Unknown)) return so
  so.known = pick(paths, so)
  return so.known ? so.known.value : so
}

/** The value as far as it has been chosen. */
export function resolved(value: unknown): unknown {
  return value instanceof Unknown && value.known ? resolved(value.known.value) : value
}

/** Identifies a fork by the origin of its value. */
export function keyOf({ from, type, name }: Unknown): string {
  return `${from.getSourceFile().fileName}:${from.pos}:${from.end}:${name}:${type?.id}`
}

/** The same, deciding only whether it is null. */
export function settledNull(paths: Paths, raw: unknown): unknown {
  const value = resolved(raw)
  if (!(value instanceof Unknown)) return value
  if (value.isThere) return value
  const { type } = value
  const types = type?.isUnionType() ? type.getTypes() : type ? [type] : []
  const [empty] = types.filter((one) => one.flags & TypeFlags.Nullable)
  if (!empty) return value
  value.isThere = types.length > 1 && paths.choose(2, keyOf(value)) === 0
  if (value.isThere) return value
  value.known = { value: empty.flags & TypeFlags.Null ? null : undefined }
  return value.known.value
}

function pick(paths: Paths, value: Unknown): { value: unknown } | null {
  const { type, from, isThere } = value
  if (!type) return null
  if (type.flags & TypeFlags.Null) return { value: null }
  if (type.flags & TypeFlags.VoidLike) return { value: undefined }
  if (type.flags & TypeFlags.Boolean) return { value: paths.choose(2, keyOf(value)) === 0 }
  if (!type.isUnionType()) return constantOf(type) === undefined ? null : { value: constantOf(type) }
  const types = type.getTypes().filter((one) => !isThere || !(one.flags & TypeFlags.Nullable))
  const chosen = types[paths.choose(types.length, keyOf(value))]
  if (!chosen) return null
  if (chosen.flags & TypeFlags.Null) return { value: null }
  if (chosen.flags & TypeFlags.VoidLike) return { value: undefined }
  return { value: unknownOf(chosen, from, value.name) }
}

export function constantsOf(type: Type): unknown[] {
  if (type.flags & TypeFlags.Boolean) return [true, false]
  if (type.isUnionType()) return type.getTypes().flatMap(constantsOf)
  if (type.flags & TypeFlags.Null) return [null]
  return [constantOf(type)]
}

/** Whether the type is a union of a few constants. */
export function isChoice(type: Type | undefined): boolean {
  if (!type) return false
  if (type.flags & TypeFlags.Boolean || constantOf(type) !== undefined) return true
  return type.isUnionType() && type.getTypes().every((one) => one.flags & (TypeFlags.Literal | TypeFlags.Nullable))
}

const ofAnyLength = new WeakSet<object>()

/** A list with one element that stands for any number. */
export function asAnyLength(list: unknown[]): unknown[] {
  ofAnyLength.add(list)
  return list
}

export function isOfAnyLength(list: object): boolean {
  return ofAnyLength.has(list)
}

/** A value expanded into its properties or its element. */
export function expanded(source: Source, value: unknown): unknown {
  if (!(value instanceof Unknown) || !value.type) return value
  const { type, from } = value
  if (source.checker.isArrayLikeType(type)) return asAnyLength([unknownOf(elementOf(source, type), from, `${value.name}[]`)])
  if (!type.isObjectType() && !type.isIntersectionType()) return value
  if (source.checker.getIndexInfosOfType(type).length > 0) return value
  const names = source.checker.getPropertiesOfType(type).map(({ name }) => name)
  return Object.fromEntries(names.map((name) => [name, partOf(source, value, name)]))
}

export function elementOf(source: Source, type: Type): Type | undefined {
  return (
    source.checker.getIndexInfosOfType(type)[0]?.valueType ??
    (type.isTypeReference() ? source.checker.getTypeArguments(type)[0] : undefined)
  )
}

export function partOf(source: Source, value: Unknown, name: string, type?: Type): unknown {
  if (!value.parts.has(name)) {
    const own = type ?? (value.type && source.typeOfProperty(value.type, name))
    value.parts.set(name, unknownOf(own, value.from, `${value.name}.${name}`))
  }
  return value.parts.get(name)
}
