import type { EditorProps } from '#base/web/editor/editor.tsx'
import type { Kind } from '#kind/contract.ts'

/** How much room the editor takes for what is written. */
export const sizes: Readonly<Record<Kind, EditorProps['size']>> = { topic: 'tall', comment: 'medium', reply: 'plain' }
