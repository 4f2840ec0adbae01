/** Memoizes `make` by key. Once `most` keys are known, the next new one makes it forget them all. */
export function remember<Value>(most: number, make: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    if (known.size === most) known.clear();
    const value = make(key);
    known.set(key, value);
    return value;
  };
}
