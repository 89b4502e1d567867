/** Form fields: text as it is, lists as repeated fields, anything with a shape of its own, and an empty list, as JSON. What is not there is not sent. */
export function fieldsOf(input: unknown): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(input ?? {})) {
    if (Array.isArray(value) && value.length === 0) fields.append(name, '[]')
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue
      fields.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
    }
  }
  return fields
}

/** A form with a file. The fields go first: the server knows them when the file begins. */
export function formWith(file: File, input: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of fieldsOf(input)) form.append(name, value)
  form.append('file', file)
  return form
}

/** The messages of an answer such as `{ error: { title: "Too long" } }`; null when it is not of that kind. */
export function fieldErrorsIn(text: string): Record<string, string> | null {
  try {
    const { error } = JSON.parse(text)
    if (typeof error !== 'object' || error === null) return null
    const messages = Object.entries(error).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return messages.length > 0 ? Object.fromEntries(messages) : null
  } catch {
    return null // not JSON, or no object
  }
}

/** How long such an answer asks one to wait. */
export function secondsIn(text: string): number | null {
  const { seconds } = JSON.parse(text)
  return typeof seconds === 'number' ? seconds : null
}
