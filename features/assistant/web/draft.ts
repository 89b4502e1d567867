import { storeOf } from '#base/web/store.ts'

const place = 'assistantDrafts'

/** What is written to the assistant and not answered yet. */
type Draft = {
  text: string
  /** The turn that is asked in other words. */
  editing: string | null
  /** Why it was not taken. */
  wrong: string | null
}

export const draft = storeOf<Draft>({ text: '', editing: null, wrong: null })

/** Shows what was begun in a conversation, or in none yet. */
export function bringDraft(conversationId: string | null): void {
  draft.set({ text: kept()[conversationId ?? ''] ?? '', editing: null, wrong: null })
}

export function write(conversationId: string | null, text: string): void {
  draft.set({ ...draft.get(), text, wrong: null })
  keep({ ...kept(), [conversationId ?? '']: text })
}

/** It is on its way. It is kept until the server has it. */
export function sent(): void {
  draft.set({ text: '', editing: null, wrong: null })
}

/** Asks a turn in other words; what was begun is there again when one does not. */
export function edit(key: string, prompt: string): void {
  draft.set({ text: prompt, editing: key, wrong: null })
}

/** The server has what was asked; what was written since stays. */
export function wasTaken(from: string | null, conversationId: string): void {
  const { text } = draft.get()
  keep({ ...kept(), [from ?? '']: '', [conversationId]: text })
}

/** What was asked was not taken: it stands in the box again, before what was written since. */
export function takeBack(conversationId: string | null, prompt: string, editing: string | null, wrong: string | null): void {
  const since = draft.get().text
  write(conversationId, since ? `${prompt}\n\n${since}` : prompt)
  draft.set({ ...draft.get(), editing, wrong })
}

export function forgetDrafts(): void {
  draft.set({ text: '', editing: null, wrong: null })
  keep({})
}

function kept(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? '{}')
  } catch {
    return {} // storage is closed to us
  }
}

function keep(drafts: Record<string, string>): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(Object.entries(drafts).filter(([, text]) => text !== ''))))
  } catch {
    // storage is closed to us: it holds for this page
  }
}
