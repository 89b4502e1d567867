import { useRef, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { TextField } from '#base/web/form.tsx'
import { Html } from '#base/web/html.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/markdown-field.module.css'

type Segments = { segments: { html: string }[] }
type Props = {
  name: string
  label: string
  value: string
  /** The endpoint that renders the preview. */
  previews: Pick<Endpoint, 'path'>
  maxLength?: number
  isOptional?: boolean
}

/** A Markdown text with a preview. */
export function MarkdownField({ name, label, value, previews, maxLength = 100_000, isOptional = false }: Props) {
  const words = useWords('admin')
  const field = useRef<HTMLTextAreaElement>(null)
  const preview = useAction<Endpoint<string, z.ZodObject<{ markdown: z.ZodString }>, z.ZodType<Segments>>>(previews.path)
  const [previewed, show] = useState<Segments['segments'] | null>(null)

  async function look(): Promise<void> {
    const answer = await preview.run({ markdown: field.current?.value ?? '' })
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
        maxLength={maxLength}
        required={!isOptional}
      />
      <button type="button" className={`button quiet ${css.look}`} disabled={preview.isBusy} onClick={() => void look()}>
        {words('preview')}
      </button>
      <Dialog title={label} isOpen={previewed !== null} close={() => show(null)}>
        {previewed?.map((segment, index) => (
          <Html key={index} html={segment.html} className="prose" />
        ))}
      </Dialog>
    </div>
  )
}
