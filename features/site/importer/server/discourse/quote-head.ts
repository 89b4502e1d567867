/**
 * Who is quoted and where, as the argument of a quote has it: `="Ann, post:3, topic:4, full:true"`. `username:` follows where a full name
 * stands first. A quote from a chat has `quote="ann;123;2024-01-01T10:00:00Z"`.
 */
export function quoteHead(argument: string): { name: string; address: string | null } {
  const [, chatName] = /^ .*\bquote="([^";]{1,100});/.exec(argument) ?? []
  if (chatName !== undefined) return { name: chatName, address: null }
  const written = argument
    .replace(/^=/, '')
    .trim()
    .replaceAll(/^["'“„]|["'”“]$/g, '')
  const parts = written.split(',').map((part) => part.trim())
  const first = parts.findIndex((part) => /^\w+:/.test(part))
  const values = new Map(parts.slice(first < 0 ? parts.length : first).map((part) => part.split(':', 2) as [string, string]))
  const name = values.get('username')?.trim() || parts.slice(0, first < 0 ? parts.length : first).join(', ')
  const [topic, post] = [values.get('topic') ?? '', values.get('post') ?? '']
  return { name, address: isNumber(topic) ? `t/${topic}${isNumber(post) ? `/${post}` : ''}` : null }
}

function isNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text)
}
