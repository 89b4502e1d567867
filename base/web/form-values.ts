import type { z } from 'zod'

export type FormValues = Record<string, unknown>

/**
 * The values of a form, typed by the schema. Fields that the schema does not name, such as those inside an editor, are ignored. A name with
 * dots leads into objects: `parts.poll.options`. Such an object is there as soon as the form has a field of it.
 */
export function readFormValues(form: HTMLFormElement, schema: z.ZodType): FormValues {
  const values = emptyValues()
  for (const element of form.elements) {
    const name = element.getAttribute('name')
    const type = name ? typeAt(schema, name) : undefined
    if (!name || !type) continue
    const { holder, key } = placeIn(values, name)
    const value = valueOf(element, type)
    const isListed = isOneOfMany(form, name) || mayBeEmptyList(element, type) || isTextOfList(element, type)
    if (value === undefined && !mayBeEmptyList(element, type)) continue
    holder[key] = isListed ? [holder[key] ?? [], value ?? []].flat() : value
  }
  return values
}

/** A copy with more values by their names, of which one with dots leads into objects. Objects in both are merged. */
export function nest(values: FormValues, more: FormValues): FormValues {
  const all = merged(undefined, values) as FormValues
  for (const [name, value] of Object.entries(more)) {
    const { holder, key } = placeIn(all, name)
    holder[key] = merged(holder[key], value)
  }
  return all
}

// Without a prototype, so that a name such as `__proto__` is a field like any other.
function emptyValues(): FormValues {
  return Object.create(null)
}

/** The value itself, or a copy of an object on top of the former one. */
function merged(former: unknown, value: unknown): unknown {
  if (!isObject(value)) return value
  const all = isObject(former) ? former : emptyValues()
  for (const [name, inner] of Object.entries(value)) all[name] = merged(all[name], inner)
  return all
}

function isObject(value: unknown): value is FormValues {
  const prototype: unknown = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined
  return prototype === null || prototype === Object.prototype
}

function placeIn(values: FormValues, name: string): { holder: FormValues; key: string } {
  const [key = '', ...outer] = name.split('.').toReversed()
  return { holder: outer.reduceRight((holder, step) => (holder[step] ??= emptyValues()) as FormValues, values), key }
}

function typeAt(schema: z.ZodType, name: string): z.ZodType | undefined {
  return name.split('.').reduce<z.ZodType | undefined>((type, step) => {
    const shape = type ? shapeOf(type) : {}
    return Object.hasOwn(shape, step) ? shape[step] : undefined
  }, schema)
}

/** The names of the form's own fields, the only ones that may show an error. */
export function fieldNames(form: HTMLFormElement | null, values: FormValues): Set<string> {
  const named = [...(form?.elements ?? [])].flatMap((element) => element.getAttribute('name') ?? [])
  return new Set([...named, ...Object.keys(values)])
}

type Shape = Record<string, z.ZodType>

function shapeOf(schema: z.ZodType): Shape {
  const inner = unwrap(schema)
  return 'shape' in inner ? (inner.shape as Shape) : {}
}

function unwrap(schema: z.ZodType): z.ZodType {
  if ('in' in schema) return unwrap(schema.in as z.ZodType)
  return 'innerType' in schema.def ? unwrap(schema.def.innerType as z.ZodType) : schema
}

function valueOf(element: Element, type: z.ZodType | undefined): unknown {
  if (element instanceof HTMLInputElement) return inputValue(element, type)
  if (element instanceof HTMLSelectElement && element.multiple) return [...element.selectedOptions].map((option) => option.value)
  if (element instanceof HTMLSelectElement)
    return isNumberFor(type, element.value) ? Number(element.value) : textOrAbsent(element.value, type)
  if (element instanceof HTMLTextAreaElement) return textOrAbsent(element.value, type)
  return undefined
}

function inputValue(input: HTMLInputElement, type: z.ZodType | undefined): unknown {
  if (input.type === 'checkbox' && !input.hasAttribute('value')) return input.checked
  if (input.type === 'checkbox' || input.type === 'radio') return input.checked ? input.value : undefined
  if (input.type === 'file') return undefined
  if (input.type === 'number' && isNumberFor(type, input.value)) return input.valueAsNumber
  return textOrAbsent(input.value, type)
}

function isNumberFor(type: z.ZodType | undefined, text: string): boolean {
  return text !== '' && !type?.safeParse(text).success && !Number.isNaN(Number(text))
}

// A field that may not be empty is absent when it is empty.
function textOrAbsent(text: string, type: z.ZodType | undefined): string | undefined {
  return text !== '' || type?.safeParse('').success ? text : undefined
}

// No ticked box is an empty list, unless the field is optional.
function mayBeEmptyList(element: Element, type: z.ZodType | undefined): boolean {
  return element instanceof HTMLInputElement && element.type === 'checkbox' && type?.safeParse([]).success === true
}

// Text fields of one name are the items of a list; the empty ones are left out.
function isTextOfList(element: Element, type: z.ZodType): boolean {
  const isText = element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type !== 'radio')
  return isText && unwrap(type).def.type === 'array'
}

function isOneOfMany(form: HTMLFormElement, name: string): boolean {
  const all = form.elements.namedItem(name)
  return all instanceof RadioNodeList && [...all].some((one) => one instanceof HTMLInputElement && one.type === 'checkbox')
}
