import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { AiLabelView } from '#ai-label/contract.ts'
import { lastGeneratedEditor } from '#base/web/assistant.ts'
import { Field } from '#base/web/form.tsx'
import { useStoredFields } from '#base/editor/stored-fields.ts'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'

type AiFieldProps = {
  /** The key of the draft that this field is saved with. */
  draftKey: string
  label: AiLabelView
  /** The editor is not the author and may remove the label of staff. */
  isAnothers?: boolean | undefined
}

/** The checkbox with which authors declare AI-generated content. It checks itself when the assistant inserts text. */
export function AiField({ draftKey, label, isAnothers = false }: AiFieldProps) {
  const { aiLabels } = useSite()
  const words = useWords('aiLabel')
  const box = useRef<HTMLDivElement>(null)
  const stored = useStoredFields(draftKey)
  const [tickedAt, setTickedAt] = useState<number | null>(null)
  useAutoCheck(draftKey, box, () => setTickedAt(stored.key))
  if (aiLabels !== 'declare' && aiLabels !== 'ask') return null
  const isFixed = label === 'staff' && !isAnothers
  const before = stored.initial['aiGenerated'] ?? (label ? 'on' : '')
  return (
    <div ref={box} key={stored.key} onInput={stored.store} data-beside>
      <Field
        type="checkbox"
        name="aiGenerated"
        label={words('declare')}
        help={isFixed ? words('byStaff') : tickedAt === stored.key ? words('ticked') : aiLabels === 'ask' && words('mustDeclare')}
        defaultChecked={isFixed || before !== ''}
        disabled={isFixed}
        onChange={({ target }) => !target.checked && setTickedAt(null)}
      />
    </div>
  )
}

/** Checks the box when generated text is inserted; the author may uncheck it. */
function useAutoCheck(draftKey: string, place: RefObject<HTMLElement | null>, ticked: () => void): void {
  const tick = useEffectEvent(() => {
    const box = place.current?.querySelector<HTMLInputElement>('input:not(:disabled)')
    if (!box || !lastGeneratedEditor.get()?.isOf(draftKey)) return
    // A click saves the state in the draft, like one by the author.
    if (!box.checked) box.click()
    ticked()
  })
  useEffect(() => lastGeneratedEditor.watch(() => tick()), [])
}
