declare module 'opencc-js/dict/TSCharacters' {
  /** `traditional simplified` pairs with bars between them. */
  const pairs: string
  export default pairs
}
