import { useRef, useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { TextField } from '#base/web/form.tsx'
import { Html } from '#base/web/html.tsx'
import { useWords } from '#base/web/words.tsx'
import type { previewHelp } from '#help/staff-contract.ts'
import css from '#help/admin/help.module.css'

type Props = { name: string; label: string; value: string }

/** A text in Markdown, with a look at how it will read. */
export function MarkdownField({ name, label, value }: Props) {
  const words = useWords('helpAdmin')
  const field = useRef<HTMLTextAreaElement>(null)
  const preview = useDeed<typeof previewHelp>('/admin/help/preview')
  const [shown, show] = useState<Output<typeof previewHelp>['segments'] | null>(null)

  async function look(): Promise<void> {
    const answer = await preview.go({ markdown: field.current?.value ?? '' })
    if (answer) show(answer.segments)
  }

  return (
    <div>
      <TextField
        ref={field}
        name={name}
        label={label}
        help={words('markdownHelp')}
        defaultValue={value}
        rows={16}
        maxLength={100_000}
        required
      />
      <button type="button" className={`button quiet ${css.look}`} disabled={preview.isBusy} onClick={() => void look()}>
        {words('preview')}
      </button>
      <Dialog title={label} isOpen={shown !== null} close={() => show(null)}>
        {shown?.map((segment, index) => (
          <Html key={index} html={segment.html} className="prose" />
        ))}
      </Dialog>
    </div>
  )
}
