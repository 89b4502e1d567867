/** Form fields: text as is, lists as repeated fields, objects and empty lists as JSON. Absent values are left out. */
export function toFormFields(input: unknown): URLSearchParams {
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

/** A multipart form with a file. The fields come first, so that the server has them when the file begins. */
export function multipartForm(file: File, input: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of toFormFields(input)) form.append(name, value)
  form.append('file', file)
  return form
}

/** The messages of a response such as `{ error: { title: "Too long" } }`; null for any other body. */
export function parseFieldErrors(text: string): Record<string, string> | null {
  try {
    const { error } = JSON.parse(text)
    if (typeof error !== 'object' || error === null) return null
    const messages = Object.entries(error).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return messages.length > 0 ? Object.fromEntries(messages) : null
  } catch {
    return null // not JSON, or no object
  }
}

/** The seconds to wait, from such a response. */
export function parseRetrySeconds(text: string): number | null {
  const { seconds } = JSON.parse(text)
  return typeof seconds === 'number' ? seconds : null
}
