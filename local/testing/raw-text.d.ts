/** A file of the project as text, as Vite imports it. */
declare module '*.toml?raw' {
  const text: string
  export default text
}
