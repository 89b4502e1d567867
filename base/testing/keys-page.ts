import { areOn, keepKeys, listenForKeys, offered } from '#base/web/shortcuts.ts'

const done: string[] = []
const shortcut = (keys: string) => ({ keys, says: '', run: () => void done.push(keys) })

const write = { keys: 'w', says: '', run: () => field.focus() }
const ask = { keys: 'q', says: '', run: () => dialog.showModal() }
const decide = { keys: 'a', says: '', run: () => void done.push('a'), tooSoon: () => void done.push('not a') }

offered.set([{ title: '', shortcuts: [...['j', 'h', 'g h', '?', 'e'].map(shortcut), write, ask, decide] }])
listenForKeys()

const field = document.createElement('input')
const text = document.createElement('div')
text.contentEditable = 'true'
text.id = 'text'
const dialog = document.createElement('dialog')
document.body.append(field, text, dialog)

const keys = { done, dialog, field, keep: keepKeys, switch: (on: boolean) => areOn.set(on) }

export type Keys = typeof keys

declare global {
  interface Window {
    keys: Keys
  }
}

window.keys = keys
