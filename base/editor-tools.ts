/** The tools that an editor may offer, each named as its button is. Undo and redo are always there. */
export const richTools = [
  'bold',
  'italic',
  'strike',
  'code',
  'heading',
  'subheading',
  'bulletList',
  'orderedList',
  'taskList',
  'quote',
  'codeBlock',
  'table',
  'rule',
  'hidden',
  'picture',
  'camera',
  'emoji',
  'file',
  'mention',
  'link',
  'ai',
] as const
/** Those of replies. */
export const plainTools = ['bold', 'italic', 'strike', 'code', 'picture', 'camera', 'emoji', 'mention', 'link', 'ai'] as const
