import type { NodeViewRenderer } from '@tiptap/core'
import type { Translate } from '#base/web/words.tsx'

/** A task with a checkbox that works in the editor. */
export function taskView(words: Translate): NodeViewRenderer {
  return ({ node: first, editor, getPos }) => {
    const dom = document.createElement('li')
    const side = document.createElement('span')
    const box = document.createElement('input')
    const contentDOM = document.createElement('div')
    box.type = 'checkbox'
    box.checked = first.attrs['checked']
    box.setAttribute('aria-label', words('done'))
    box.addEventListener('change', () => {
      editor.commands.command(({ tr }) => {
        const at = getPos()
        if (at !== undefined) tr.setNodeAttribute(at, 'checked', box.checked)
        return at !== undefined
      })
    })
    side.contentEditable = 'false'
    side.append(box)
    dom.append(side, contentDOM)
    return {
      dom,
      contentDOM,
      update(node) {
        if (node.type !== first.type) return false
        box.checked = node.attrs['checked']
        return true
      },
      stopEvent: (event) => event.target === box,
      ignoreMutation: (mutation) => side.contains(mutation.target),
    }
  }
}
