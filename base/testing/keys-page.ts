import { shortcutsEnabled, bufferKeys, listenForKeys, activeShortcuts } from '#base/web/shortcuts.ts'

const runs: string[] = []
const shortcut = (keys: string) => ({ keys, label: '', run: () => void runs.push(keys) })

const write = { keys: 'w', label: '', run: () => field.focus() }
const ask = { keys: 'q', label: '', run: () => dialog.showModal() }
const decide = { keys: 'a', label: '', run: () => void runs.push('a'), onTooSoon: () => void runs.push('not a') }

activeShortcuts.set([{ title: '', shortcuts: [...['j', 'h', 'g h', '?', 'e'].map(shortcut), write, ask, decide] }])
listenForKeys()

const field = document.createElement('input')
const text = document.createElement('div')
text.contentEditable = 'true'
text.id = 'text'
const dialog = document.createElement('dialog')
document.body.append(field, text, dialog)

const keys = { runs, dialog, field, keep: bufferKeys, switch: (on: boolean) => shortcutsEnabled.set(on) }

export type Keys = typeof keys

declare global {
  interface Window {
    keys: Keys
  }
}

window.keys = keys
