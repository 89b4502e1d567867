import { codeLanguageOf } from '#base/rich-text/code-language.ts'
import { openEditors } from '#base/web/editor/open-editors.ts'
import { say } from '#base/web/toast.tsx'
import type { Say } from '#base/web/words.tsx'
import css from '#base/web/editor/code-tools.module.css'

const copiedMs = 2_000

/** Gives each piece of code within an element its tools: copy, and insert while an editor is open. Returns how to take them away again. */
export function addCodeTools(within: HTMLElement, words: Say): () => void {
  const undo = [...within.querySelectorAll('pre')].filter((pre) => !pre.closest('[contenteditable]')).map((pre) => equip(pre, words))
  return () => undo.forEach((takeAway) => takeAway())
}

function equip(pre: HTMLPreElement, words: Say): () => void {
  const code = () => pre.querySelector('code')?.textContent ?? pre.textContent
  const language = codeLanguageOf(/language-(\w+)/.exec(pre.querySelector('code')?.className ?? '')?.[1] ?? '')
  const copy = button(words('copyCode'), () => void copyCode(code(), copy, words))
  const insert = button(words('insertCode'), () => openEditors.get().at(-1)?.insertCode(code(), language))
  const tools = document.createElement('div')
  tools.className = css.tools ?? ''
  tools.append(copy, insert)

  // The tools lie over a corner of the code, so nothing moves when they come.
  const frame = document.createElement('div')
  frame.className = css.frame ?? ''
  pre.replaceWith(frame)
  frame.append(pre, tools)

  const show = () => void (insert.hidden = openEditors.get().length === 0)
  const stop = openEditors.watch(show)
  show()
  return () => {
    stop()
    if (frame.isConnected) frame.replaceWith(pre)
  }
}

function button(label: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = label
  // The editor keeps its cursor, which is where the code goes.
  made.addEventListener('mousedown', (event) => event.preventDefault())
  made.addEventListener('click', act)
  return made
}

export async function copyCode(code: string, told: HTMLElement, words: Say): Promise<void> {
  try {
    await navigator.clipboard.writeText(code)
  } catch {
    say(words('cannotCopy'))
    return
  }
  told.textContent = words('copied')
  setTimeout(() => (told.textContent = words('copyCode')), copiedMs)
}
