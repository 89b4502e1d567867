import { Extension, type Editor, type Extensions } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { isComposing } from '#base/web/composing.ts'
import { codeBlock } from '#base/editor/code-block.ts'
import { codeColours } from '#base/editor/code-colours.ts'
import { mentionDetection, type MentionState } from '#base/editor/mention-state.ts'
import { hiddenNodes } from '#base/editor/hidden-node.ts'
import { attachment } from '#base/editor/attachment.ts'
import { markdownPasting } from '#base/editor/paste/markdown.ts'
import { picture } from '#base/editor/picture.ts'
import { pasteNormalization } from '#base/editor/paste/extension.ts'
import { plainSchema, taskItem, wholeSchema } from '#base/editor/schema.ts'
import { tableNodes } from '#base/editor/table.ts'
import { taskView } from '#base/editor/task-view.ts'
import { hasHardwareKeyboard } from '#base/editor/keyboard.ts'
import { blockTyping, typing } from '#base/editor/typing.ts'
import { uploadPlaceholders, type FileHooks } from '#base/editor/upload-placeholders.ts'
import type { Translate } from '#base/web/words.tsx'

/** The editor's callbacks into the page. */
export type EditorHooks = FileHooks & { openLink: () => void; send: () => void }

export function extensionsFor({
  isPlain,
  isCompact,
  words,
  mentions,
  hands,
}: {
  isPlain: boolean
  isCompact: boolean
  words: Translate
  mentions: MentionState
  hands: EditorHooks
}): Extensions {
  const everywhere = [
    ...hiddenNodes,
    typing,
    pasteNormalization(words),
    picture(words),
    mentionDetection(mentions),
    uploadPlaceholders(hands),
    keysFor(hands),
    ...(isCompact ? [enterSends(hands)] : []),
    keysOfInputMethods,
    escape(mentions),
  ]
  if (isPlain) return [...plainSchema, ...everywhere]
  const task = taskItem.extend({ addNodeView: () => taskView(words) })
  return [...wholeSchema, attachment, task, codeBlock(words), codeColours, ...tableNodes, blockTyping, markdownPasting, ...everywhere]
}

const handledKeys = new Set(['Enter', 'Tab', 'Escape', 'Backspace', 'ArrowUp', 'ArrowDown'])

/** Before all other extensions, because the keys of an input method are its own, including the one that ends a composition. */
const keysOfInputMethods = Extension.create({
  name: 'keysOfInputMethods',
  priority: 1000,
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleKeyDown: (_, event) => isComposing(event) && (handledKeys.has(event.key) || event.ctrlKey || event.metaKey),
      },
    }),
  ],
})

/** Leaves an unhandled Escape to the surrounding dialog; the editor would consume it. */
function escape(mentions: MentionState) {
  return Extension.create({
    name: 'escape',
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          handleDOMEvents: {
            keydown: (_, event) => event.key === 'Escape' && !isComposing(event) && !(mentions.get() && mentions.handleKey(event)),
          },
        },
      }),
    ],
  })
}

function keysFor(hands: EditorHooks) {
  return Extension.create({
    name: 'keys',
    priority: 300,
    addKeyboardShortcuts: () => ({ 'Mod-k': () => then(hands.openLink), 'Mod-Enter': () => then(hands.send) }),
  })
}

/**
 * Enter submits where there is a keyboard; code and lists continue, and Shift+Enter breaks the line. Runs after the
 * keys of the mention list.
 */
function enterSends(hands: EditorHooks) {
  return Extension.create({
    name: 'enterSends',
    priority: 150,
    addKeyboardShortcuts: () => ({ Enter: ({ editor }) => hasHardwareKeyboard() && !continuesBlock(editor) && then(hands.send) }),
  })
}

function continuesBlock({ state }: Editor): boolean {
  const { $from } = state.selection
  const isList = Array.from({ length: $from.depth }, (_, depth) => $from.node(depth + 1)).some(({ type }) => type.name.endsWith('Item'))
  // The opening fence of a code block.
  return isList || $from.parent.type.spec.code === true || /^```[^\s`]*$/.test($from.parent.textContent)
}

function then(act: () => void): true {
  act()
  return true
}
