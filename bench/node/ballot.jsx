// A player's phone in the secret vote, with the same elements, classes and words as Companion's.
const SYMBOLS = "●▲■◆★✚♥♣";
const SEATS = [...SYMBOLS].map((symbol, seat) => ({ symbol, name: `Player ${seat}`, colour: `c${seat}` }));
const LINES = 12; // of the history

const Button = ({ label, onSubmit }) => (
  <form method="post" className="tap" onSubmit={(event) => { event.preventDefault(); onSubmit?.(); }}><button>{label}</button></form>
);

const Chip = ({ symbol, name, colour }) => (
  <span className={`chip ${colour}`}><span className="symbol" aria-hidden="true">{symbol}</span> <bdi>{name}</bdi></span>
);

export function Ballot({ seat, answered, opened, hasAnswered, cast, open }) {
  const send = (event) => {
    event.preventDefault();
    cast(new FormData(event.target).get("word"));
    event.target.reset();
  };
  const lines = [...Array(opened)].map(() => "The box is opened: 1 different words.")
    .concat("The game starts.", SEATS.map(({ name }) => `${name} sits down.`).reverse()).slice(0, LINES);
  return (
    <>
      <header className="top">
        <h1 className="where"><span className="game-title">Secret ballot</span> <span className="code">ABCD</span></h1>
        <p className="who"><bdi>{SEATS[seat].name}</bdi></p>
      </header>
      <main id="screen">
        <div className="own">
          <section id="you" className="region" aria-label="Your part">
            {hasAnswered ? <p className="notice">You have answered.</p> : (
              <form method="post" className="tap" onSubmit={send}>
                <label>Your word <input name="word" required autoComplete="off" /></label> <button className="primary">DONE</button>
              </form>
            )}
            <Button label="Open the box" onSubmit={open} />
            <Button label="Roll" />
            <Button label="Knock" />
          </section>
        </div>
        <div className="seen">
          <section id="table" className="region" aria-label="The table">
            <h2>{answered} of 8 have answered</h2>
            <p>Opened: {opened} · Rolled: 0</p>
          </section>
        </div>
        <section id="people" className="region" aria-label="People">
          <h2>At the table</h2>
          <ul className="people">{SEATS.map((person) => <li key={person.name}><Chip {...person} /></li>)}</ul>
        </section>
        <section id="history" className="region" aria-live="polite" aria-label="History">
          <h2>History</h2>
          <ol className="lines" reversed>{lines.map((line, index) => <li key={opened - index}>{line}</li>)}</ol>
        </section>
      </main>
      <footer className="foot"><a href="#history">The whole history</a> <a href="#night">Results of tonight</a> <a href="#help">Help</a></footer>
    </>
  );
}
