declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    duration: number;
  }

  interface Result {
    requests: { average: number };
    non2xx: number;
    errors: number;
  }

  export default function autocannon(options: Options): Promise<Result>;
}
