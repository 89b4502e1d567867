import { SymbolFlags, TypeFlags, type Symbol, type Type } from 'typescript/unstable/sync'
import type { Site } from './compose.ts'
import type { Column } from './describe.ts'
import { wordsOf, type Kind, type Types } from './kinds.ts'
import { changesRows } from './nulls.ts'
import type { Source } from './source.ts'

const rowAt: Record<string, number> = {
  RawBuilder: 0,
  SelectQueryBuilder: 2,
  InsertQueryBuilder: 2,
  DeleteQueryBuilder: 2,
  UpdateQueryBuilder: 3,
}

/** The declared row type of a statement; null without one. */
export function declaredRow(source: Source, { receiver }: Site): Type | null {
  const type = source.typeOf(receiver)
  if (!type?.isTypeReference()) return null
  const row = source.checker.getTypeArguments(type)[rowAt[type.getSymbol()?.name ?? ''] ?? 0]
  if (!row || row.flags & TypeFlags.AnyOrUnknown) return null
  return /^(Insert|Update|Delete)Result$/.test(row.getSymbol()?.name ?? '') ? null : row
}

/** The differences between a statement's columns and its declared row. */
export function differences(source: Source, row: Type, columns: readonly Column[], types: Types): string[] {
  const { checker } = source
  const properties = new Map(checker.getPropertiesOfType(row).map((property) => [property.name, property]))
  const found: string[] = []
  for (const column of columns) {
    const property = properties.get(column.name)
    if (!property) {
      if (!isOpen(row)) found.push(`answers ${column.name}, which is not declared`)
      continue
    }
    properties.delete(column.name)
    const declared = checker.getTypeOfSymbol(property)
    if (!declared) continue
    const kind = types.kindOf(column.type)
    if (!takes(source, declared, kind))
      found.push(`${column.name} is ${wordsOf(kind)} (${types.nameOf(column.type)}), declared ${checker.typeToString(declared)}`)
  }
  const missing = [...properties.values()].filter((property) => !isOptional(property))
  return [...found, ...missing.map(({ name }) => `does not answer ${name}`)]
}

/** Table columns declared not null which their tables, or an outer join, allow to be null. */
export function unprovenColumns(source: Source, row: Type, columns: readonly Column[], text: string, types: Types): string[] {
  const mayMiss = /\b(left|right|full) join\b/i.test(text) && !changesRows(text)
  return columns.flatMap(({ name, table, place }) => {
    const isRequired = types.isRequired(table, place)
    const declared = source.typeOfProperty(row, name)
    return declared && !mayBeNull(declared) && (isRequired === false || (isRequired && mayMiss)) ? [name] : []
  })
}

function isOptional({ flags }: Symbol): boolean {
  return (flags & SymbolFlags.Optional) !== 0
}

// The caller of a generic function supplies part of its row.
function isOpen(row: Type): boolean {
  if (row.flags & TypeFlags.Instantiable) return true
  return (row.isIntersectionType() || row.isUnionType()) && row.getTypes().some(isOpen)
}

function mayBeNull(type: Type): boolean {
  if (type.flags & (TypeFlags.AnyOrUnknown | TypeFlags.Nullable)) return true
  if (type.flags & TypeFlags.Instantiable) return true
  return type.isUnionType() && type.getTypes().some((one) => mayBeNull(one))
}

/** Whether the declared type accepts the driver's value. */
function takes(source: Source, declared: Type, kind: Kind): boolean {
  const { flags } = declared
  if (flags & (TypeFlags.Unknown | TypeFlags.Nullable)) return true
  if (kind.is === 'json') return !holdsNoJson(source, declared)
  if (declared.isUnionType()) return declared.getTypes().some((one) => !(one.flags & TypeFlags.Nullable) && takes(source, one, kind))
  if (declared.isIntersectionType()) return declared.getTypes().some((one) => takes(source, one, kind))
  if (flags & TypeFlags.Instantiable && !(flags & TypeFlags.StringLike)) {
    const constraint = source.checker.getBaseConstraintOfType(declared)
    return !constraint || constraint === declared || takes(source, constraint, kind)
  }
  if (kind.is === 'string') return (flags & TypeFlags.StringLike) !== 0
  if (kind.is === 'number') return (flags & TypeFlags.NumberLike) !== 0
  if (kind.is === 'boolean') return (flags & TypeFlags.BooleanLike) !== 0
  const name = declared.getSymbol()?.name ?? ''
  if (kind.is === 'list') {
    const element = source.checker.isArrayLikeType(declared)
      ? source.checker.getIndexInfosOfType(declared).find(({ keyType }) => keyType.flags & TypeFlags.Number)?.valueType
      : undefined
    return element !== undefined && takes(source, element, kind.of)
  }
  return kind.is === name
}

// JSON has neither dates nor bytes.
function holdsNoJson(source: Source, type: Type, depth = 0): boolean {
  if (depth > 4) return false
  if (type.flags & TypeFlags.BigIntLike) return true
  if (type.isUnionType()) return type.getTypes().some((one) => holdsNoJson(source, one, depth + 1))
  if (!type.isObjectType()) return false
  const name = type.getSymbol()?.name ?? ''
  if (/^(Date|Buffer|Map|Set)$/.test(name)) return true
  if (source.checker.isArrayLikeType(type))
    return source.checker.getTypeArguments(type as never).some((one) => holdsNoJson(source, one, depth + 1))
  return false
}
