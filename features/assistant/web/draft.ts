import { storeOf } from '#base/web/store.ts'

const place = 'assistantDrafts'

/** Questions to the assistant that are not sent yet. */
type Draft = {
  text: string
  /** The turn that is asked in other words. */
  editing: string | null
  /** The draft before that. */
  before: string
  /** Why it was not taken. */
  wrong: string | null
}

const nothing: Draft = { text: '', editing: null, before: '', wrong: null }
export const draft = storeOf<Draft>(nothing)

/** Shows what was begun in a conversation, or in none yet. */
export function bringDraft(conversationId: string | null): void {
  draft.set({ ...nothing, text: kept()[conversationId ?? ''] ?? '' })
}

export function write(conversationId: string | null, text: string): void {
  draft.set({ ...draft.get(), text, wrong: null })
  keep({ ...kept(), [conversationId ?? '']: text })
}

/** It is on its way. It is kept until the server has it. */
export function sent(): void {
  draft.set({ ...nothing, text: draft.get().before })
}

/** Asks a turn in other words. What was begun is there again after that. */
export function edit(key: string, prompt: string): void {
  const { text, editing, before } = draft.get()
  draft.set({ text: prompt, editing: key, before: editing ? before : text, wrong: null })
}

export function leaveEdit(conversationId: string | null): void {
  const { before } = draft.get()
  draft.set(nothing)
  write(conversationId, before)
}

/** The server has what was asked; what was written since stays. */
export function wasTaken(from: string | null, conversationId: string): void {
  const { text } = draft.get()
  keep({ ...kept(), [from ?? '']: '', [conversationId]: text })
}

/** Puts a question that was refused back into the box, before later text. */
export function takeBack(conversationId: string | null, prompt: string, editing: string | null, wrong: string | null): void {
  const since = draft.get().text
  write(conversationId, editing || !since ? prompt : `${prompt}\n\n${since}`)
  draft.set({ text: draft.get().text, editing, before: editing ? since : '', wrong })
}

export function forgetDrafts(): void {
  draft.set(nothing)
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
