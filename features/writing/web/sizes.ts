import type { EditorProps } from '#base/web/editor/whole-editor.ts'
import type { Kind } from '#kind/contract.ts'

/** How much room the editor takes for what is written. */
export const sizes: Readonly<Record<Kind, EditorProps['size']>> = { topic: 'tall', comment: 'medium', reply: 'plain' }
