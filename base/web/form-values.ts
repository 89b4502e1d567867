import type { z } from 'zod'

export type FormValues = Record<string, unknown>

/** The values of a form, typed by the schema. Fields that the schema does not name, such as those inside an editor, are ignored. */
export function readFormValues(form: HTMLFormElement, schema: z.ZodType): FormValues {
  const shape = shapeOf(schema)
  const values: FormValues = {}
  for (const element of form.elements) {
    const name = element.getAttribute('name')
    if (!name || !Object.hasOwn(shape, name)) continue
    const value = valueOf(element, shape[name])
    const ticks = isOneOfMany(form, name) || mayBeEmptyList(element, shape[name])
    if (value === undefined && !mayBeEmptyList(element, shape[name])) continue
    values[name] = ticks ? [values[name] ?? [], value ?? []].flat() : value
  }
  return values
}

/** The names of the form's own fields, the only ones that may show an error. */
export function fieldNames(form: HTMLFormElement | null, values: FormValues): Set<string> {
  const named = [...(form?.elements ?? [])].flatMap((element) => element.getAttribute('name') ?? [])
  return new Set([...named, ...Object.keys(values)])
}

type Shape = Record<string, z.ZodType>

function shapeOf(schema: z.ZodType): Shape {
  if ('shape' in schema) return schema.shape as Shape
  return 'in' in schema ? shapeOf(schema.in as z.ZodType) : {}
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

function isOneOfMany(form: HTMLFormElement, name: string): boolean {
  const all = form.elements.namedItem(name)
  return all instanceof RadioNodeList && [...all].some((one) => one instanceof HTMLInputElement && one.type === 'checkbox')
}
