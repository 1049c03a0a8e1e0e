-- Keys of limits are hashed from now on. The rows before had payers and client addresses in clear; they are worth nothing.
delete from limit_use;
