import { areOn, listenForKeys, offered } from '#base/web/shortcuts.ts'

const done: string[] = []
const shortcut = (keys: string) => ({ keys, says: '', run: () => void done.push(keys) })

offered.set([{ title: '', shortcuts: ['j', 'h', 'g h', '?', 'e'].map(shortcut) }])
listenForKeys()

const field = document.createElement('input')
const text = document.createElement('div')
text.contentEditable = 'true'
text.id = 'text'
const dialog = document.createElement('dialog')
document.body.append(field, text, dialog)

const keys = { done, dialog, switch: (on: boolean) => areOn.set(on) }

export type Keys = typeof keys

declare global {
  interface Window {
    keys: Keys
  }
}

window.keys = keys
