import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { redo, redoDepth, undo, undoDepth } from '@tiptap/pm/history'
import { Bar } from '#base/editor/bar.tsx'
import { canHide, hide, partsIn } from '#base/editor/hide.ts'
import type { HidingState } from '#base/editor/hiding-state.ts'
import { surroundingList, toggleList, type ListName } from '#base/editor/toggle-list.ts'
import { insertBlock } from '#base/editor/insert-block.ts'
import { insertTable } from '#base/editor/table.ts'
import { ToolButton, type ToolName } from '#base/editor/tool-button.tsx'
import css from '#base/editor/toolbar.module.css'

type Tool = {
  name: ToolName
  keys?: string
  /** Also in the editor of a reply. */
  isPlain?: true
  isOn?: (editor: Editor) => boolean
  isOff?: (editor: Editor) => boolean
  opens?: string
  act?: (editor: Editor) => void
}

const on = (name: string, attrs?: Record<string, unknown>) => (editor: Editor) => editor.isActive(name, attrs)
const mark = (name: string, keys: string): Tool => ({
  name: name as ToolName,
  keys,
  isPlain: true,
  isOn: on(name),
  act: (editor) => editor.chain().focus().toggleMark(name).run(),
})
const list = (name: ListName, keys: string): Tool => ({
  name,
  keys,
  isOn: ({ state }) => surroundingList(state)?.list.type.name === name,
  act: (editor) => toggleList(editor, name),
})
const heading = (name: 'heading' | 'subheading', level: number): Tool => ({
  name,
  keys: `Alt+${level}`,
  isOn: on('heading', { level }),
  act: (editor) => editor.chain().focus().toggleNode('heading', 'paragraph', { level }).run(),
})

const groups: Tool[][] = [
  [mark('bold', 'B'), mark('italic', 'I'), mark('strike', 'Shift+S'), mark('code', 'E')],
  [heading('heading', 2), heading('subheading', 3)],
  [list('bulletList', 'Shift+8'), list('orderedList', 'Shift+7'), list('taskList', 'Shift+9')],
  [
    { name: 'quote', keys: 'Shift+B', isOn: on('blockquote'), act: (editor) => editor.chain().focus().toggleWrap('blockquote').run() },
    {
      name: 'codeBlock',
      keys: 'Alt+C',
      isOn: on('codeBlock'),
      act: (editor) => editor.chain().focus().toggleNode('codeBlock', 'paragraph').run(),
    },
    { name: 'table', isOff: on('table'), act: (editor) => insertTable(editor) },
    { name: 'rule', act: insertRule },
  ],
]
const history: Tool[] = [
  {
    name: 'undo',
    keys: 'Z',
    isPlain: true,
    isOff: ({ state }) => undoDepth(state) === 0,
    act: ({ state, view }) => undo(state, view.dispatch),
  },
  {
    name: 'redo',
    keys: 'Shift+Z',
    isPlain: true,
    isOff: ({ state }) => redoDepth(state) === 0,
    act: ({ state, view }) => redo(state, view.dispatch),
  },
]

/** The file choosers of the device. */
export type Choosers = { choosePictures: () => void; takePhoto: () => void; chooseFiles: () => void }
type ToolbarProps = Choosers & {
  editor: Editor
  isPlain: boolean
  openLink: () => void
  /** Undefined if the member may not use the assistant. */
  openAssistant: (() => void) | undefined
  emojiPanel: string
  hidden: readonly string[]
  hiding: HidingState
}

export function Toolbar({ editor, isPlain, openLink, openAssistant, emojiPanel, hidden, hiding, ...choose }: ToolbarProps) {
  const inserts: Tool[] = [
    { name: 'picture', isPlain: true, act: choose.choosePictures },
    { name: 'camera', isPlain: true, act: choose.takePhoto },
    { name: 'emoji', isPlain: true, opens: emojiPanel },
    { name: 'file', act: choose.chooseFiles },
    { name: 'mention', isPlain: true, act: (it) => startMention(it) },
    ...hidingTool(hiding),
    { name: 'link', keys: 'K', isPlain: true, isOn: on('link'), act: openLink },
    ...(openAssistant ? [{ name: 'ai', isPlain: true, act: openAssistant } satisfies Tool] : []),
  ]
  const isShown = ({ name, isPlain: forReplies }: Tool) => (!isPlain || forReplies) && !hidden.includes(name)
  const allGroups = [...groups, inserts, history]
    .map((tools) => ({ areInserts: tools === inserts, tools: tools.filter(isShown) }))
    .filter(({ tools }) => tools.length > 0)
  const states = useEditorState({
    editor,
    selector: ({ editor: it }) => Object.fromEntries(allGroups.flatMap(({ tools }) => tools).map((tool) => [tool.name, stateOf(tool, it)])),
  })
  return (
    <Bar label="toolbar">
      {allGroups.map(({ tools, areInserts }) => (
        <span key={tools[0]?.name} className={css.group} data-inserts={areInserts || undefined}>
          {tools.map((tool) => (
            <ToolButton
              key={tool.name}
              name={tool.name}
              keys={tool.keys}
              isOn={tool.isOn && states[tool.name] === 'on'}
              isOff={states[tool.name] === 'off'}
              {...(tool.opens && { opens: tool.opens })}
              act={() => tool.act?.(editor)}
            />
          ))}
        </span>
      ))}
    </Bar>
  )
}

/** Shown until it is known that hiding is not allowed. */
function hidingTool(hiding: HidingState): Tool[] {
  const { locks = ['comment'], most = Infinity } = hiding?.limits ?? {}
  const [first] = locks.includes('comment') ? ['comment' as const] : locks
  if (!hiding || !first || most === 0) return []
  return [
    {
      name: 'hidden',
      isOff: ({ state }) => !canHide(state) || partsIn(state) >= most,
      act: (editor) => hide(editor, first),
    },
  ]
}

function stateOf({ isOn, isOff }: Tool, editor: Editor): string {
  return isOff?.(editor) ? 'off' : isOn?.(editor) ? 'on' : ''
}

function insertRule({ state, view, commands }: Editor): void {
  const { tr } = state
  const rule = state.schema.nodes['horizontalRule']
  if (rule) insertBlock(tr, rule.create())
  view.dispatch(tr)
  commands.focus()
}

function startMention(editor: Editor): void {
  const before = editor.state.selection.$from.parent.textBetween(0, editor.state.selection.$from.parentOffset, '\n', '\ufffc')
  editor
    .chain()
    .focus()
    .insertContent({ type: 'text', text: /[A-Za-z0-9._-]$/.test(before) ? ' @' : '@' })
    .run()
}
