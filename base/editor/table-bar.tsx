import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import type { Align } from '#base/rich-text/document.ts'
import { alignColumn, alignOfColumn, doInTable, tableCommands } from '#base/editor/table.ts'
import { Bar } from '#base/editor/bar.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/toolbar.module.css'

const aligns = { '': 'alignNone', left: 'alignLeft', center: 'alignCenter', right: 'alignRight' } as const

/** The tools of the current table. */
export function TableBar({ editor }: { editor: Editor }) {
  const words = useWords('editor')
  const { isInside, align } = useEditorState({
    editor,
    selector: ({ editor: it }) => ({ isInside: it.isActive('table'), align: alignOfColumn(it.state) }),
  })
  if (!isInside) return null
  return (
    <Bar label="tableTools">
      {tableCommands.map((command) => (
        <button
          key={command}
          type="button"
          tabIndex={-1}
          className="plain"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            doInTable(editor, command)
            editor.commands.focus()
          }}
        >
          {words(command)}
        </button>
      ))}
      <select
        tabIndex={-1}
        aria-label={words('align')}
        className={css.choice}
        value={align ?? ''}
        onChange={(event) => alignColumn(editor, (event.target.value || null) as Align)}
      >
        {Object.entries(aligns).map(([value, name]) => (
          <option key={value} value={value}>
            {words(name)}
          </option>
        ))}
      </select>
    </Bar>
  )
}
