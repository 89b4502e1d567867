import { createStore } from '#base/web/store.ts'

const storageKey = 'assistantDrafts'

/** Unsent questions to the assistant. */
type Draft = {
  text: string
  /** The turn that is being edited. */
  editing: string | null
  /** The draft before the edit. */
  before: string
  /** The error of the last attempt. */
  wrong: string | null
}

const emptyDraft: Draft = { text: '', editing: null, before: '', wrong: null }
export const draft = createStore<Draft>(emptyDraft)

/** Shows the draft of a conversation, or of a new one. */
export function loadDraft(conversationId: string | null): void {
  draft.set({ ...emptyDraft, text: storedDrafts()[conversationId ?? ''] ?? '' })
}

export function write(conversationId: string | null, text: string): void {
  draft.set({ ...draft.get(), text, wrong: null })
  storeDrafts({ ...storedDrafts(), [conversationId ?? '']: text })
}

/** The draft is in flight, and kept until the server has accepted it. */
export function markSent(): void {
  draft.set({ ...emptyDraft, text: draft.get().before })
}

/** Edits a turn. The former draft returns afterwards. */
export function edit(key: string, prompt: string): void {
  const { text, editing, before } = draft.get()
  draft.set({ text: prompt, editing: key, before: editing ? before : text, wrong: null })
}

export function cancelEdit(conversationId: string | null): void {
  const { before } = draft.get()
  draft.set(emptyDraft)
  write(conversationId, before)
}

/** The server has accepted the question; later text stays. */
export function markAccepted(from: string | null, conversationId: string): void {
  const { text } = draft.get()
  storeDrafts({ ...storedDrafts(), [from ?? '']: '', [conversationId]: text })
}

/** Puts a refused question back into the box, before later text. */
export function returnDraft(conversationId: string | null, prompt: string, editing: string | null, wrong: string | null): void {
  const since = draft.get().text
  write(conversationId, editing || !since ? prompt : `${prompt}\n\n${since}`)
  draft.set({ text: draft.get().text, editing, before: editing ? since : '', wrong })
}

export function clearDrafts(): void {
  draft.set(emptyDraft)
  storeDrafts({})
}

function storedDrafts(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {} // storage unavailable
  }
}

function storeDrafts(drafts: Record<string, string>): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(Object.entries(drafts).filter(([, text]) => text !== ''))))
  } catch {
    // storage unavailable: it holds for this page
  }
}
