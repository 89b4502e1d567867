import { shortcutsEnabled, bufferKeys, listenForKeys, activeShortcuts } from '#base/web/shortcuts.ts'

const done: string[] = []
const shortcut = (keys: string) => ({ keys, label: '', run: () => void done.push(keys) })

const write = { keys: 'w', label: '', run: () => field.focus() }
const ask = { keys: 'q', label: '', run: () => dialog.showModal() }
const decide = { keys: 'a', label: '', run: () => void done.push('a'), onTooSoon: () => void done.push('not a') }

activeShortcuts.set([{ title: '', shortcuts: [...['j', 'h', 'g h', '?', 'e'].map(shortcut), write, ask, decide] }])
listenForKeys()

const field = document.createElement('input')
const text = document.createElement('div')
text.contentEditable = 'true'
text.id = 'text'
const dialog = document.createElement('dialog')
document.body.append(field, text, dialog)

const keys = { done, dialog, field, keep: bufferKeys, switch: (on: boolean) => shortcutsEnabled.set(on) }

export type Keys = typeof keys

declare global {
  interface Window {
    keys: Keys
  }
}

window.keys = keys
