declare module 'opencc-js/dict/TSCharacters' {
  /** `traditional simplified` pairs, separated by bars. */
  const pairs: string
  export default pairs
}
