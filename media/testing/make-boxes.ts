/** A box of 32-bit numbers and other boxes. */
export function box(name: string, ...content: (number | number[])[]): number[] {
  const bytes = content.flatMap((each) => (typeof each === 'number' ? toBytes(each) : each))
  return [...toBytes(bytes.length + 8), ...Array.from(name, (char) => char.charCodeAt(0)), ...bytes]
}

function toBytes(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)
}
