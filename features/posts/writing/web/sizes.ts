import type { EditorProps } from '#base/editor/whole-editor.ts'
import type { Kind } from '#kind/contract.ts'

/** The height of the editor by kind of post. */
export const sizes: Readonly<Record<Kind, EditorProps['size']>> = { topic: 'tall', comment: 'medium', reply: 'plain' }
