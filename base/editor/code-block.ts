import { Node, textblockTypeInputRule } from '@tiptap/core'
import type { Node as ProseNode } from '@tiptap/pm/model'
import type { NodeView } from '@tiptap/pm/view'
import { codeLanguages, normalizeLanguage } from '#base/rich-text/code-language.ts'
import { copyCode, languageOnPage } from '#base/editor/add-post-tools.ts'
import type { Translate } from '#base/web/words.tsx'
import css from '#base/editor/blocks.module.css'

/** A code block, with a language select and a copy button. */
export function codeBlock(words: Translate) {
  return Node.create({
    name: 'codeBlock',
    group: 'block',
    content: 'text*',
    marks: '',
    code: true,
    defining: true,
    addAttributes: () => ({ language: { default: 'markup', rendered: false, parseHTML: languageOnPage } }),
    parseHTML: () => [{ tag: 'pre', preserveWhitespace: 'full' }],
    renderHTML: ({ node }) => ['pre', ['code', { class: `language-${node.attrs['language']}` }, 0]],
    addNodeView: () => (view) =>
      codeBlockView(view.node, words, (language) => view.editor.commands.command(({ tr }) => setLanguage(tr, view.getPos(), language))),
    addInputRules() {
      return [
        textblockTypeInputRule({
          find: /^```([^\s`]*)[\s\n]$/,
          type: this.type,
          getAttributes: (match) => ({ language: normalizeLanguage(match[1] ?? '') }),
        }),
      ]
    },
    addKeyboardShortcuts() {
      return {
        'Mod-Alt-c': () => this.editor.commands.toggleNode('codeBlock', 'paragraph'),
        Backspace: () => isAtStartOfEmpty(this.editor.state.selection.$from.parent) && this.editor.commands.setNode('paragraph'),
        Tab: () => this.editor.isActive('codeBlock') && this.editor.commands.insertContent({ type: 'text', text: '  ' }),
      }
    },
  })
}

function isAtStartOfEmpty(block: ProseNode): boolean {
  return block.type.name === 'codeBlock' && block.content.size === 0
}

function setLanguage(
  tr: { setNodeAttribute(pos: number, name: string, value: unknown): unknown },
  at: number | undefined,
  language: string,
): boolean {
  if (at !== undefined) tr.setNodeAttribute(at, 'language', language)
  return at !== undefined
}

function codeBlockView(first: ProseNode, words: Translate, choose: (language: string) => void): NodeView {
  const dom = document.createElement('div')
  const head = document.createElement('div')
  const code = document.createElement('code')
  const pre = document.createElement('pre')
  const select = languages(words)
  const copy = document.createElement('button')
  dom.className = css.codeBlock ?? ''
  head.className = css.codeHead ?? ''
  head.contentEditable = 'false'
  dom.dir = 'ltr'
  copy.type = 'button'
  copy.textContent = words('copyCode')
  copy.addEventListener('click', () => void copyCode(code.textContent, copy, words))
  select.addEventListener('change', () => choose(select.value))
  show(select, first.attrs['language'])
  pre.spellcheck = false
  pre.append(code)
  head.append(select, copy)
  dom.append(head, pre)
  return {
    dom,
    contentDOM: code,
    update(node) {
      if (node.type !== first.type) return false
      show(select, node.attrs['language'])
      return true
    },
    stopEvent: (event) => head.contains(event.target as HTMLElement),
    ignoreMutation: (mutation) => head.contains(mutation.target),
  }
}

function languages(words: Translate): HTMLSelectElement {
  const select = document.createElement('select')
  select.setAttribute('aria-label', words('language'))
  for (const [value, { name }] of Object.entries(codeLanguages))
    select.add(new Option(value === 'markup' ? words('plainText') : name, value))
  for (const name of furtherLanguages) select.add(new Option(name, name))
  return select
}

// Languages beyond the specification's table, under the names that other sites use.
const furtherLanguages = ['c', 'json', 'php', 'rust', 'sql', 'typescript', 'yaml']

/** A language that is not in the list is added while in use. */
function show(select: HTMLSelectElement, language: string): void {
  if (![...select.options].some(({ value }) => value === language)) select.add(new Option(language, language))
  select.value = language
}
