// Runs before the first paint: the theme that the person chose, where it is not the system's, and whether they are a member
// or closed the greeting of those who come first; and whether the browser of one who chose no language asks for the other one.
const chosen = localStorage.getItem('theme')
if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset['theme'] = chosen
if (localStorage.getItem('bbsToken')) document.documentElement.dataset['member'] = ''
if (localStorage.getItem('welcomed')) document.documentElement.dataset['welcomed'] = ''

const isChinese = (language: string) => /^zh/i.test(language)
const hasChosen = /(?:^|; )language=/.test(document.cookie) || localStorage.getItem('language')
if (!hasChosen && isChinese(navigator.language) !== isChinese(document.documentElement.lang))
  document.documentElement.dataset['speaks'] = ''
