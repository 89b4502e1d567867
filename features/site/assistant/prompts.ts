/** The prompts that staff may edit: of a chat, the addition for an open thread, and those of jobs that generate a text from another. */
export const promptNames = ['chat', 'page', 'summary', 'translation', 'improve', 'suggest'] as const
export type PromptName = (typeof promptNames)[number]

/** The placeholders. */
export const placeholders = {
  chat: ['site', 'today'],
  page: ['site', 'today', 'topicId'],
  // Generated texts are cached by the whole prompt, so no placeholder may change by itself.
  summary: ['site'],
  translation: ['site'],
  improve: ['site'],
  suggest: ['site'],
} as const satisfies Record<PromptName, readonly string[]>

export const maxPromptTextLength = 8_000

/** The placeholders in a text that the prompt does not support. */
export function unknownPlaceholders(name: PromptName, text: string): string[] {
  const known: readonly string[] = placeholders[name]
  return [...new Set(namesIn(text))].filter((one) => !known.includes(one))
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{([\p{L}\p{N}_.-]+)\}/gu)].map(([, name = '']) => name)
}

/** Fills in the placeholders in one pass: values are not expanded again. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([\p{L}\p{N}_.-]+)\}/gu, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}
