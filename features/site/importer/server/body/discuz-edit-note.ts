/** The message without the note of an edit that Discuz! puts before it: the time of the edit is known. */
export function withoutEditNote(message: string, notes: Set<string>): string {
  const [note, inside = '', after = ''] = /^\s*\[i=s\]([^[\]]{1,200})\[\/i\](?=([\r\n<]?))/i.exec(message) ?? plainNote.exec(message) ?? []
  const isNote = note !== undefined && (words.some((word) => inside.includes(word)) || (after !== '' && inside.startsWith(' ')))
  if (!isNote) return message
  notes.add('edit note')
  return message.slice(note.length)
}

/** As it is where tags are off. */
const plainNote = /^\s*\[ (本帖最[后後]由 [^[\]]{1,200} (?:编辑|編輯)) \]/

const words = ['本帖最后由', '本帖最後由', 'ast edited by', 'ost was edited by']
