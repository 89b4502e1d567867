import { codeLanguageOf, normalizeLanguage } from '#base/rich-text/code-language.ts'
import { codeExplainer, lastGeneratedEditor } from '#base/web/assistant.ts'
import { openEditors } from '#base/editor/open-editors.ts'
import { later } from '#base/web/lazy-part.ts'
import { toast } from '#base/web/toast.tsx'
import type { Translate } from '#base/web/words.tsx'
import css from '#base/editor/add-post-tools.module.css'

const copiedMs = 2_000

/** Adds the tools of a post: copying code, inserting it into an open editor, viewing pictures. Returns the cleanup function. */
export function addPostTools(post: HTMLElement, words: Translate): () => void {
  const pieces = [...post.querySelectorAll('pre')].filter((pre) => !pre.closest('[contenteditable]'))
  const pictures = [...post.querySelectorAll<HTMLImageElement>('.picture img')]
  const undo = [...pieces.map((pre) => addCodeTools(pre, words)), ...pictures.map((_, at) => linkToViewer(pictures, at, words))]
  return () => undo.forEach((takeAway) => takeAway())
}

/** Inserts code into the editor used last. Code from an AI-labelled post brings its declaration along. */
function insertCode(code: string, language: string, isGenerated: boolean): void {
  const editor = openEditors.get().at(-1)
  editor?.insertCode(code, language)
  if (editor && isGenerated) lastGeneratedEditor.set(editor)
}

function addCodeTools(pre: HTMLPreElement, words: Translate): () => void {
  const code = () => pre.querySelector('code')?.textContent ?? pre.textContent
  const language = languageOnPage(pre)
  const copy = button(words('copyCode'), () => void copyCode(code(), copy, words))
  const insert = button(words('insertCode'), () => insertCode(code(), language, frame.closest('[data-ai-generated]') !== null))
  const explain = button(words('explainCode'), () => codeExplainer.get()?.(code(), language))
  const tools = document.createElement('div')
  tools.className = css.tools ?? ''
  tools.append(explain, copy, insert)

  // The tools go into the existing header of the code, so that nothing moves.
  const frame = document.createElement('div')
  frame.className = css.frame ?? ''
  pre.replaceWith(frame)
  frame.append(pre, tools)

  function show(): void {
    insert.hidden = openEditors.get().length === 0
    explain.hidden = codeExplainer.get() === null
  }
  const stops = [openEditors.watch(show), codeExplainer.watch(show)]
  show()
  return () => {
    stops.forEach((stop) => stop())
    if (frame.isConnected) frame.replaceWith(pre)
  }
}

/** The language of a code block on a page, our own or another. */
export function languageOnPage(pre: HTMLElement): string {
  const classes = `${pre.querySelector('code')?.className ?? ''} ${pre.className}`
  const written = /(?:^|\s)lang(?:uage)?-(\S+)/.exec(classes)?.[1] ?? 'markup'
  const known = codeLanguageOf(written)
  return known === 'markup' ? normalizeLanguage(pre.dataset['language'] ?? written) : known
}

// The picture whose link had the focus when the page was rendered again and the link was replaced.
let focusedPicture: HTMLImageElement | null = null

/** Links a picture to the viewer; opened in another tab, it is the picture alone. */
function linkToViewer(pictures: readonly HTMLImageElement[], at: number, words: Translate): () => void {
  const picture = pictures[at]
  if (!picture) return () => undefined
  const link = document.createElement('a')
  link.href = picture.src
  link.target = '_blank'
  if (!picture.alt) link.setAttribute('aria-label', words('wholePicture'))
  const fold = foldOf(picture, words)
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (!fold?.opens()) view(pictures, at, words)
  })
  const whole = picture.closest('picture') ?? picture
  whole.replaceWith(link)
  link.append(whole)
  if (fold) link.after(fold.button)
  if (focusedPicture === picture) {
    focusedPicture = null
    link.focus({ preventScroll: true })
  }
  return () => {
    if (document.activeElement === link) focusedPicture = picture
    if (link.isConnected) link.replaceWith(whole)
    fold?.button.remove()
  }
}

/** A button that unfolds a very tall picture; null for any other. `opens` returns whether it was folded. */
function foldOf(picture: HTMLImageElement, words: Translate): { button: HTMLButtonElement; opens: () => boolean } | null {
  const place = picture.closest<HTMLElement>('.picture.tall')
  if (!place) return null
  const its = button(words('unfoldPicture'), () => turn(place.dataset['whole'] === undefined))
  function turn(isWhole: boolean): void {
    if (isWhole) place?.setAttribute('data-whole', '')
    else place?.removeAttribute('data-whole')
    its.textContent = words(isWhole ? 'foldPicture' : 'unfoldPicture')
    its.setAttribute('aria-expanded', String(isWhole))
    if (!isWhole) place?.scrollIntoView({ block: 'nearest' })
  }
  its.setAttribute('aria-expanded', 'false')
  function opens(): boolean {
    const isFolded = place?.dataset['whole'] === undefined
    if (isFolded) turn(true)
    return isFolded
  }
  return { button: its, opens }
}

function view(pictures: readonly HTMLImageElement[], at: number, words: Translate): void {
  later(import('#base/editor/picture-viewer.tsx')).then(
    ({ viewPictures }) => viewPictures(pictures, at, words),
    () => toast(words('cannotView')),
  )
}

function button(label: string, act: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'plain'
  element.textContent = label
  // The editor keeps its cursor, which is where the code goes.
  element.addEventListener('mousedown', (event) => event.preventDefault())
  element.addEventListener('click', act)
  return element
}

export async function copyCode(code: string, target: HTMLElement, words: Translate): Promise<void> {
  try {
    await navigator.clipboard.writeText(code)
  } catch {
    toast(words('cannotCopy'))
    return
  }
  target.textContent = words('copied')
  setTimeout(() => (target.textContent = words('copyCode')), copiedMs)
}
